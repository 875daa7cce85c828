import { classNames } from "./class-names";

type ProseProps = {
  /** HTML made safe by the platform. */
  html: string;
  /** `article` has a drop capital, `faq` sets each h3 beside its answer, `cut` fades its end. */
  look?: "plain" | "article" | "faq";
  cut?: boolean;
};

/** Rich text rendered from Markdown. */
export function Prose({ html, look = "plain", cut }: ProseProps) {
  const className = classNames(
    "prose",
    look === "article" && "article__body",
    look === "faq" && "prose--faq",
    cut && "paywall-fade",
  );
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
