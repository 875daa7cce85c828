/** Hidden fields of a form that leads to a charge. They carry the shown offer. */
export type OfferValues = { formula: string; trafficToken?: string; offer: string };

export function OfferFields({ formula, trafficToken, offer }: OfferValues) {
  return (
    <>
      <input type="hidden" name="formula" value={formula} />
      {trafficToken && <input type="hidden" name="trafficToken" value={trafficToken} />}
      <input type="hidden" name="offer" value={offer} />
    </>
  );
}
