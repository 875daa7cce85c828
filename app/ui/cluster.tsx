import { Children, Fragment, type ReactNode } from "react";
import { classNames } from "./class-names";

type ClusterProps = { className?: string; children: ReactNode };

/** Elements side by side. The spaces between them keep them apart without the style sheet. */
export function Cluster({ className, children }: ClusterProps) {
  return (
    <div className={classNames("cluster", className)}>
      {Children.toArray(children).map((piece, index) => (
        <Fragment key={index}>
          {index > 0 && " "}
          {piece}
        </Fragment>
      ))}
    </div>
  );
}
