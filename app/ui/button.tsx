import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "react";
import { classNames } from "./class-names";

type Look = {
  /** Primary is the yellow one: one per view, it always means "act". */
  look?: "primary" | "secondary" | "quiet" | "danger";
  small?: boolean;
  /** On a phone the button is as wide as its column. */
  block?: boolean;
};

type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement>;
type ButtonLinkProps = Look & AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

export function Button({ look, small, block, className, type = "submit", ...rest }: ButtonProps) {
  return (
    <button type={type} className={buttonClass({ look, small, block }, className)} {...rest} />
  );
}

export function ButtonLink({ look, small, block, className, ...rest }: ButtonLinkProps) {
  return <a className={buttonClass({ look, small, block }, className)} {...rest} />;
}

function buttonClass({ look = "secondary", small, block }: Look, className?: string) {
  return classNames(
    "button",
    look !== "secondary" && `button--${look}`,
    small && "button--small",
    block && "button--block",
    className,
  );
}
