/** A decorative icon, from a path of `@mdi/js`: the text beside it says the same. */
export function Icon({ path, className }: { path: string; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      role="presentation"
      className={className ? `icon ${className}` : "icon"}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
