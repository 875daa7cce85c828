import type { ReactNode } from "react";

/** A fieldset and its legend. */
export function FieldGroup({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="field-group">
      <legend>{legend}</legend>
      <div className="form">{children}</div>
    </fieldset>
  );
}
