import { useEffect, useState, type ComponentProps, type Ref } from "react";
import { TEXT_AREA_ROWS } from "~/contract/limits";
import { useT } from "~/i18n/use-t";
import { TextArea } from "~/ui/text-area";

type MessageFieldProps = ComponentProps<typeof TextArea> & {
  maxLength: number;
  inputRef?: Ref<HTMLTextAreaElement>;
};

/** The counter appears when fewer characters than this are left. */
const COUNTER_SHOWN_BELOW = 1000;

/** The field of a message. With script it counts the characters left, near the limit. */
export function MessageField({ rows = TEXT_AREA_ROWS, inputRef, ...field }: MessageFieldProps) {
  const [length, setLength] = useState(0);
  const t = useT("support");
  const { id } = field;
  // Somebody may have typed before React took over the page.
  useEffect(() => {
    const area = document.getElementById(id);
    if (area instanceof HTMLTextAreaElement) setLength(area.value.length);
  }, [id]);
  const charactersLeft = field.maxLength - length;
  return (
    <>
      <TextArea
        {...field}
        {...(inputRef && { areaRef: inputRef })}
        rows={rows}
        dir="auto"
        required
        onInput={(event) => setLength(event.currentTarget.value.length)}
      />
      <p className="soft small" role="status">
        {length > 0 &&
          charactersLeft <= COUNTER_SHOWN_BELOW &&
          t("characters", { count: charactersLeft })}
      </p>
    </>
  );
}
