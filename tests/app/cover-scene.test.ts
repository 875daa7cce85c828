import { describe, expect, it } from "vitest";
import { chooseScenes, sceneOf } from "~/ui/art/cover-scene";

const article = (title: string, tags: string[] = [], category = "pratique") => ({
  title,
  tags,
  category,
});
const names = (scenes: { name: string }[]) => scenes.map(({ name }) => name);

describe("the scene of a cover", () => {
  it.each([
    ["Gémeaux, l’art de la question", 2],
    ["BÉLIER", 0],
    ["Sagittaire : choisir une flèche", 8],
    ["Poissons", 11],
  ])("shows the sign after which %s is named", (title, sign) => {
    expect(sceneOf(article(title, ["mercure"], "signes"))).toEqual({ name: "signInRing", sign });
  });

  it.each([
    ["Pleine Lune en Lion", [], "moons"],
    ["Le rituel du dimanche soir", ["habitudes", "lune"], "moons"],
    ["Mercure rétrograde", ["habitudes"], "orbits"],
    ["L’Ascendant", ["relations"], "horizon"],
    ["Lionel et la confiance", ["confiance"], "constellation"],
  ])("follows title and tags of %s, without a sign", (title, tags, name) => {
    expect(sceneOf(article(title, tags))).toEqual({ name });
  });

  it("follows the category where nothing else tells", () => {
    expect(sceneOf(article("Le travail", [], "maisons"))).toEqual({ name: "compass" });
  });
});

describe("the scenes of a list", () => {
  it.each(["Gémeaux", "Lune", "Mars", "Soleil", "Thème", "Maison", "Autre"])(
    "differ between neighbours that are all about %s",
    (title) => {
      const page = Array.from({ length: 10 }, () => article(title));
      const first = names(chooseScenes(page, { hasNextPage: true }));
      const second = names(chooseScenes(page, { isContinued: true, hasNextPage: true }));
      const all = [...first, ...second, ...names(chooseScenes(page, { isContinued: true }))];
      expect(all.filter((name, index) => name === all[index - 1])).toEqual([]);
    },
  );

  it("are those of the articles where neighbours differ", () => {
    const list = [article("Mars"), article("Nouvelle Lune"), article("Maison VII")];
    expect(chooseScenes(list)).toEqual(list.map(sceneOf));
  });

  it("stay the same from one request to the next", () => {
    const list = ["Mars", "Vénus", "Lune", "Vierge"].map((title) => article(title));
    expect(chooseScenes(list)).toEqual(chooseScenes(list));
  });
});
