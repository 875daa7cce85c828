/**
 * Hidden fields of a form that leads to a charge. They carry the shown offer, the version of
 * the terms it stands under and the affiliation of its page.
 */
export type OfferValues = {
  formula: string;
  trafficToken?: string;
  offer: string;
  termsDigest?: string;
  affiliation?: string;
};

export function OfferFields({
  formula,
  trafficToken,
  offer,
  termsDigest,
  affiliation,
}: OfferValues) {
  return (
    <>
      <input type="hidden" name="formula" value={formula} />
      {trafficToken && <input type="hidden" name="trafficToken" value={trafficToken} />}
      <input type="hidden" name="offer" value={offer} />
      {termsDigest && <input type="hidden" name="termsDigest" value={termsDigest} />}
      {affiliation && <input type="hidden" name="affiliation" value={affiliation} />}
    </>
  );
}
