/** `href`: the title leads there. */
type Plate = { title: string; text: string; href?: string };
type PlatesProps = { items: readonly Plate[] };

/** A short ordered list, numbered in roman numerals like the plates of an atlas. */
export function Plates({ items }: PlatesProps) {
  return (
    <ol className="plates">
      {items.map(({ title, text, href }) => (
        <li key={title}>
          <h3>{href ? <a href={href}>{title}</a> : title}</h3>
          <p className="plates__text">{text}</p>
        </li>
      ))}
    </ol>
  );
}
