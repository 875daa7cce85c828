/**
 * Inline styles, because mail programs drop style sheets. Colours are those of tokens.css. Each
 * text colour is set with its background, so that a dark mode cannot change only one of them.
 */
const NAVY = "#141b3c";
const YELLOW = "#f5c542";
const PAPER = "#fbf9f4";
const WHITE = "#ffffff";
const INK = "#1d2233";
const SOFT = "#565d74";
const LINE = "#ddd4c0";

const SERIF = "Georgia,'Times New Roman',serif";
const SANS = "-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const BREAK = "overflow-wrap:anywhere;word-break:break-word";

export const style = {
  body: `margin:0;padding:0;background-color:${PAPER};color:${INK};font:16px/1.6 ${SANS};-webkit-text-size-adjust:100%`,
  preheader:
    "display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all",
  sheet: `max-width:600px;margin:0 auto;padding:24px 12px;background-color:${PAPER};color:${INK}`,
  header: `padding:22px 28px;background-color:${NAVY};border-bottom:3px solid ${YELLOW};border-radius:6px 6px 0 0`,
  brand: `color:${WHITE};font:700 22px/1.3 ${SERIF};letter-spacing:0.02em;text-decoration:none`,
  star: `color:${YELLOW}`,
  card: `padding:32px 28px 24px;background-color:${WHITE};color:${INK};border:1px solid ${LINE};border-top:0;border-radius:0 0 6px 6px`,
  title: `margin:0 0 20px;color:${NAVY};font:700 26px/1.25 ${SERIF}`,
  text: "margin:0 0 16px",
  facts: `margin:24px 0;padding:18px 20px 6px;background-color:${PAPER};border-radius:4px;color:${INK}`,
  fact: "padding:0 0 12px",
  /** Two facts side by side when there is room. */
  factOfMany:
    "display:inline-block;box-sizing:border-box;width:100%;max-width:248px;padding:0 12px 12px 0;vertical-align:top",
  label: `margin:0;color:${SOFT};font-size:14px;line-height:1.4`,
  value: `margin:0;color:${NAVY};font-weight:600;line-height:1.45;${BREAK}`,
  frame: `margin:24px 0;padding:16px 20px;background-color:${WHITE};border:2px solid ${NAVY};border-radius:4px;color:${INK}`,
  framedValue: `display:block;color:${NAVY};font:700 20px/1.4 ${SERIF}`,
  quote: `margin:24px 0;padding:4px 0 4px 20px;border-left:3px solid ${YELLOW};background-color:${WHITE};color:${INK};white-space:pre-line;${BREAK}`,
  action: "margin:28px 0 12px",
  button: `display:inline-block;padding:13px 26px;background-color:${YELLOW};border:1px solid ${YELLOW};border-radius:4px;color:${NAVY};font-weight:700;line-height:1.3;text-align:center;text-decoration:none`,
  copy: `margin:0 0 24px;color:${SOFT};font-size:13px;line-height:1.5;${BREAK}`,
  address: `color:${SOFT};text-decoration:underline;${BREAK}`,
  footer: `padding:24px 28px;color:${SOFT};font-size:13px;line-height:1.5`,
  site: `color:${NAVY};font-weight:600;text-decoration:underline`,
};
