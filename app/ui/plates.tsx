type PlatesProps = { items: { title: string; text: string }[] };

/** A short ordered list, numbered in roman numerals like the plates of an atlas. */
export function Plates({ items }: PlatesProps) {
  return (
    <ol className="plates">
      {items.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p className="plates__text">{text}</p>
        </li>
      ))}
    </ol>
  );
}
