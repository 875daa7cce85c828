import { rays } from "./geometry";

type LogoProps = {
  /** The name written beside the mark; without it the mark stands alone. */
  wordmark?: string;
  large?: boolean;
};

/** Compass rose whose needle is a star. Decorative: the link around it carries the name. */
export function Logo({ wordmark, large }: LogoProps) {
  return (
    <span className={large ? "logo logo--large notranslate" : "logo notranslate"}>
      <svg className="logo__mark" viewBox="-24 -24 48 48" aria-hidden="true" focusable="false">
        <circle r="18" strokeWidth="1.4" />
        <path d={rays(14.5, 18, 22.5)} strokeWidth="1.2" />
        <path d="M-9-9 9 9M-9 9 9-9" strokeWidth="1.4" />
        <path className="logo__needle" d="M0-24 3.6-3.6 17 0 3.6 3.6 0 24-3.6 3.6-17 0-3.6-3.6z" />
        <path
          className="logo__facet"
          d="M0-24V0L3.6-3.6zM17 0H0L3.6 3.6zM0 24V0L-3.6 3.6zM-17 0H0L-3.6-3.6z"
        />
      </svg>
      {wordmark && <span className="logo__word">{wordmark}</span>}
    </span>
  );
}
