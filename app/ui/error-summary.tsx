import { useId, type ReactNode, type RefObject } from "react";

type ErrorSummaryProps = {
  title: string;
  /** `id` of the faulty field. An error of the whole form has none. */
  errors: { id?: string; text: string }[];
  /** What helps on, such as a link. */
  children?: ReactNode;
  summaryRef?: RefObject<HTMLDivElement>;
};

/**
 * The summary above a refused form, with a link to each faulty field. It takes the focus if no field is
 * faulty. Nothing without errors.
 */
export function ErrorSummary({ title, errors, children, summaryRef }: ErrorSummaryProps) {
  const titleId = useId();
  if (errors.length === 0) return null;
  return (
    <div
      ref={summaryRef}
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
      {children}
    </div>
  );
}
