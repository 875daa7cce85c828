/** A site at that address, with names that no text of the product holds. */
export const siteAt = <T extends string | null>(url: T) => ({
  title: "Cap Céleste",
  url,
  statementDescriptor: "CAP DES TESTS",
  imprint: "Éditions des Tests, SAS au capital de 2 €, 4 rue des Essais, RCS Lyon 123 456 789",
  seller: {
    name: "Éditions des Tests",
    seat: "4 rue des Essais, 69001 Lyon",
    email: "bonjour@essais.example",
    phone: "04 00 00 00 00",
    vat: "FR00 123456789",
  },
  answersTo: "bonjour@essais.example",
  mediator: "Médiation des Tests, 1 rue des Accords, 75001 Paris, https://mediateur.example",
  vatRate: null,
});
