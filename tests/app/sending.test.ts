import fc from "fast-check";
import { expect, it } from "vitest";
import {
  arrive,
  depart,
  IDLE,
  joinTexts,
  press,
  unsentText,
  type Sending,
} from "~/support/sending";

/** What happens at a field. `press` is pressed twice where `twice` is set. */
type Step =
  { do: "type"; text: string } | { do: "press"; twice: boolean } | { do: "answer"; ok: boolean };

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("type" as const), text: word }),
  fc.record({ do: fc.constant("press" as const), twice: fc.boolean() }),
  fc.record({ do: fc.constant("answer" as const), ok: fc.boolean() }),
);

/** A page with the field. The form takes its text after the press, as a browser's does. */
function openField() {
  let sending: Sending = IDLE;
  let field = "";
  const posts: string[] = [];
  const arrived: string[] = [];
  const pressOnce = () => {
    if (!field && sending.step === "idle") return;
    const next = press(sending, field);
    ({ sending, field } = next);
    if (next.isPost) posts.push(field);
  };
  const takeText = () => {
    if (sending.step === "posted") ({ sending, field } = depart(sending));
  };
  return {
    type: (text: string) => void (field = field ? `${field} ${text}` : text),
    press(twice: boolean) {
      pressOnce();
      if (twice) pressOnce();
      takeText();
    },
    answer(ok: boolean) {
      if (sending.step !== "onTheWay") return;
      const { text } = sending;
      if (ok) arrived.push(text);
      const next = arrive(sending, field, ok);
      ({ sending, field } = next);
      if (!next.isNextPost) return;
      pressOnce();
      takeText();
    },
    isOnTheWay: () => sending.step === "onTheWay",
    kept: () => unsentText(sending, field),
    field: () => field,
    posts,
    arrived,
  };
}

const wordsOf = (texts: readonly string[]) =>
  texts.flatMap((text) => text.split(/\s+/).filter(Boolean));

it("each typed word has arrived once or is still there, in its order", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const page = openField();
      const typed: string[] = [];
      for (const one of steps) {
        if (one.do === "type") typed.push(one.text);
        if (one.do === "type") page.type(one.text);
        if (one.do === "press") page.press(one.twice);
        if (one.do === "answer") page.answer(one.ok);
        expect(wordsOf([...page.arrived, page.kept()])).toEqual(typed);
      }
    }),
  );
});

it("a text whose answer was lost is sent again alone", () => {
  const page = openField();
  page.type("premier");
  page.press(false);
  page.type("second");
  page.answer(false);
  expect(page.field()).toBe(joinTexts("premier", "second"));
  page.press(true);
  page.answer(true);
  expect(page.posts).toEqual(["premier", "premier", "second"]);
});

it("a text sent off while another is on its way follows, unless it was changed", () => {
  const page = openField();
  page.type("premier");
  page.press(false);
  page.type("second");
  page.press(false);
  page.answer(true);
  expect(page.posts).toEqual(["premier", "second"]);
  page.type("troisième");
  page.press(false);
  page.type("encore");
  page.answer(true);
  expect(page.posts).toEqual(["premier", "second"]);
  expect(page.field()).toBe("troisième encore");
  expect(page.isOnTheWay()).toBe(false);
});
