import { parser } from "sax";

/** An element of a parsed document. `text` has CDATA sections too. */
export type Element = {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
};

/**
 * The root of a document.
 * @throws Error for a document that is not well-formed
 */
export function parseXml(text: string): Element {
  const root: Element = { name: "", attributes: {}, text: "", children: [] };
  const open = [root];
  const current = () => open.at(-1) ?? root;
  const sax = parser(true);
  sax.onerror = (error) => {
    throw error;
  };
  sax.onopentag = ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, value]) => [key, String(value)]);
    const element = { name, attributes: Object.fromEntries(values), text: "", children: [] };
    current().children.push(element);
    open.push(element);
  };
  sax.onclosetag = () => void open.pop();
  sax.ontext = sax.oncdata = (part) => void (current().text += part);
  sax.write(text).close();
  const [document] = root.children;
  if (!document) throw new Error("The document has no root");
  return document;
}

export const childrenOf = ({ children }: Element, name: string) =>
  children.filter((child) => child.name === name);

/** The text of the only child with this name. Undefined when there is none, or more than one. */
export function textIn(element: Element, name: string): string | undefined {
  const [child, ...others] = childrenOf(element, name);
  return others.length === 0 ? child?.text : undefined;
}
