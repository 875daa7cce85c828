import { useId } from "react";

type ErrorSummaryProps = {
  title: string;
  /** `id` of the faulty field; without it the text stands alone (an error of the whole form). */
  errors: { id?: string; text: string }[];
};

/**
 * Stands above a form that was refused and links to each faulty field; takes focus when the errors
 * are of the form as a whole. Nothing without errors.
 */
export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
  const titleId = useId();
  if (errors.length === 0) return null;
  return (
    <div
      className="error-summary"
      role="alert"
      tabIndex={-1}
      autoFocus={errors.every(({ id }) => !id)}
      aria-labelledby={titleId}
      data-error-summary
    >
      <h2 className="error-summary__title" id={titleId}>
        {title}
      </h2>
      <ul className="error-summary__list">
        {errors.map(({ id, text }) => (
          <li key={`${id} ${text}`}>{id ? <a href={`#${id}`}>{text}</a> : text}</li>
        ))}
      </ul>
    </div>
  );
}
