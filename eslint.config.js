import js from "@eslint/js";
import regexp from "eslint-plugin-regexp";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const noDefaultExport = {
  selector: "ExportDefaultDeclaration",
  message: "Name the export; only the framework's own files export a default.",
};

/** Spread, a literal's members are not checked against the type that they are for. */
const noLiteralSpread = [
  ":matches(SpreadElement, JSXSpreadAttribute) > :matches(ObjectExpression, ArrayExpression)",
  "SpreadElement > TSAsExpression > ObjectExpression",
].map((selector) => ({ selector, message: "Write the members where the literal is spread." }));

export default tseslint.config(
  { ignores: ["build/", "data/", "coverage/", "public/", "server/content/"] },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "no-console": "error",
      "no-restricted-syntax": ["error", noDefaultExport, ...noLiteralSpread],
      eqeqeq: "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-non-null-assertion": "error",
      // Loaders and ports are async by contract, also where nothing is awaited.
      "@typescript-eslint/require-await": "off",
      // Our objects are closures: their methods use no `this`.
      "@typescript-eslint/unbound-method": "off",
      // Remix throws responses.
      "@typescript-eslint/only-throw-error": "off",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // A regular expression that backtracks can be made to run for minutes by a crafted text.
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
      "regexp/no-invalid-regexp": "error",
      "regexp/no-misleading-capturing-group": "error",
      "regexp/no-misleading-unicode-character": "error",
      "regexp/no-potentially-useless-backreference": "error",
      "regexp/no-dupe-disjunctions": "error",
    },
  },
  {
    files: ["app/**/*.tsx"],
    plugins: { "react-hooks": reactHooks },
    rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "error" },
  },
  {
    // One door to the API: failures, limits and tokens are handled there alone.
    files: ["app/**"],
    ignores: ["app/api/**", "app/enhance/**"],
    rules: {
      "no-restricted-globals": ["error", { name: "fetch", message: "Call the API through ~/api." }],
    },
  },
  {
    files: [
      "app/root.tsx",
      "app/entry.*.tsx",
      "app/routes.ts",
      "app/routes/**/route.tsx",
      "*.config.*",
    ],
    rules: { "no-restricted-syntax": ["error", ...noLiteralSpread] },
  },
  { files: ["server/cli/**"], rules: { "no-console": "off" } },
  {
    // Tests read bodies loosely: a wrong guess fails the claim itself.
    files: ["tests/**"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: ["**/*.{js,mjs}"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: "readonly", URL: "readonly" } },
  },
);
