import type { ComponentProps } from "react";
import { DESK_STATUSES } from "~/contract/ticket-status";
import { useT } from "~/i18n/use-t";
import { Select } from "~/ui/select";

type StatusSelectProps = Omit<ComponentProps<typeof Select>, "children"> & {
  /** Text of the choice that leaves the status unchanged. */
  none: string;
};

export function StatusSelect({ none, ...select }: StatusSelectProps) {
  const t = useT("desk");
  return (
    <Select {...select}>
      <option value="">{none}</option>
      {DESK_STATUSES.map((status) => (
        <option key={status} value={status}>
          {t(`status.${status}`)}
        </option>
      ))}
    </Select>
  );
}
