import type { Page } from "playwright";

type Answer = { type: string; url: string; bytes: number };

/** Counts what a page receives over the network: headers and compressed bodies. */
export async function countTraffic(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const known = new Map<string, Omit<Answer, "bytes">>();
  const answers: Answer[] = [];
  session.on("Network.responseReceived", ({ requestId, type, response }) =>
    known.set(requestId, { type, url: response.url }),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const answer = known.get(requestId);
    // Neither a picture inside the style sheet nor what the browser's own window shows.
    if (!answer || /^data:|favicon|webmanifest/.test(answer.url)) return;
    answers.push({ ...answer, bytes: encodedDataLength });
  });
  const sum = (of: readonly Answer[]) => of.reduce((total, { bytes }) => total + bytes, 0);
  return {
    requests: () => answers.length,
    bytes: () => sum(answers),
    scriptBytes: () => sum(answers.filter(({ type }) => type === "Script")),
  };
}
