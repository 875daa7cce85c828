/**
 * Data for search engines, as JSON. Browsers do not run a block of data, so that the policy of the page needs no
 * exception. The sign that could end the block, or begin a comment in it, is encoded: JSON has it in texts only.
 */
export function JsonLd({ json }: { json: string }) {
  const html = json.replaceAll("<", String.raw`\u003c`);
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: html }} />;
}
