import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { refusedParameter } from "./errors";
import type { Form } from "./form";

/**
 * Reads the request types that Stripe publishes in the declarations of its `stripe` package. Only the
 * syntax of a few files is read: a type checker would need seconds for the whole package.
 */
type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;
type Module = {
  file: string;
  imports: Map<string, string>;
  declarations: Map<string, Declaration>;
};
type Type = { node: ts.TypeNode; module: Module; scope: string };
type Found = { declaration: Declaration; module: Module; scope: string };

/** Two folders up from the entry: `cjs/stripe….js`. */
const root = dirname(dirname(createRequire(import.meta.url).resolve("stripe")));
const modules = new Map<string, Module>();

/**
 * Checks a request against its published type: unknown and missing parameters, wrong kinds, values
 * outside an enum. `path` names a type: `resources/Refunds RefundCreateParams`.
 * @throws ApiError 400
 */
export function checkRequest(published: string, form: Form) {
  const [path = "", name = ""] = published.split(" ");
  const module = readModule(join(root, "esm", `${path}.d.ts`));
  const found = find(module, "", name);
  if (!found) throw new Error(`The stripe package publishes no ${published}`);
  checkDeclared(found, form, "");
}

type Value = string | Form;

function checkDeclared(found: Found, value: Value, at: string) {
  const { declaration, module, scope } = found;
  if (ts.isTypeAliasDeclaration(declaration)) {
    return check({ node: declaration.type, module, scope }, value, at);
  }
  if (typeof value === "string") throw refusedParameter("parameter_invalid_object", at);
  const { fields, open } = fieldsOf(found);
  for (const [name, part] of Object.entries(value)) {
    const here = at ? `${at}[${name}]` : name;
    const field = fields.get(name) ?? open;
    if (!field) throw refusedParameter("parameter_unknown", here);
    check(field, part, here);
  }
  for (const [name, { isRequired }] of fields) {
    if (isRequired && !(name in value)) {
      throw refusedParameter("parameter_missing", at ? `${at}[${name}]` : name);
    }
  }
}

function check(type: Type, value: Value, at: string): void {
  const { node, module, scope } = type;
  const within = (inner: ts.TypeNode) => check({ node: inner, module, scope }, value, at);
  if (ts.isParenthesizedTypeNode(node)) return within(node.type);
  if (ts.isUnionTypeNode(node)) return checkUnion(node, type, value, at);
  if (ts.isLiteralTypeNode(node)) return checkText(value === literalOf(node), at, "enum");
  if (ts.isArrayTypeNode(node)) return checkList({ ...type, node: node.elementType }, value, at);
  const isKind = (kind: ts.SyntaxKind) => node.kind === kind;
  if (isKind(ts.SyntaxKind.StringKeyword))
    return checkText(typeof value === "string", at, "string");
  if (isKind(ts.SyntaxKind.NumberKeyword)) return checkText(isNumber(value), at, "integer");
  if (isKind(ts.SyntaxKind.BooleanKeyword)) return checkText(isBoolean(value), at, "boolean");
  if (!ts.isTypeReferenceNode(node)) throw new Error(`${at} has a type that is not understood`);
  const name = node.typeName.getText();
  const [argument] = node.typeArguments ?? [];
  if (name === "Array" && argument) return checkList({ ...type, node: argument }, value, at);
  if (name === "Emptyable" && argument) return value === "" ? undefined : within(argument);
  if (name === "Decimal") return checkText(isNumber(value), at, "decimal");
  const found = find(module, scope, name);
  if (!found) throw new Error(`${at} has the type ${name}, which is nowhere`);
  checkDeclared(found, value, at);
}

/** Enums are checked even if Stripe calls them open: this version of the package sends no others. */
function checkUnion(node: ts.UnionTypeNode, type: Type, value: Value, at: string) {
  const failures: unknown[] = [];
  for (const one of node.types.filter((each) => each.getText() !== "OtherString")) {
    try {
      return check({ ...type, node: one }, value, at);
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures.at(-1);
}

function checkList(type: Type, value: Value, at: string) {
  if (typeof value === "string") throw refusedParameter("parameter_invalid_array", at);
  const indexes = Object.keys(value);
  if (indexes.some((index, place) => index !== String(place))) {
    throw refusedParameter("parameter_invalid_array", at);
  }
  for (const index of indexes) check(type, value[index] ?? "", `${at}[${index}]`);
}

function checkText(isFit: boolean, at: string, kind: string) {
  if (!isFit) throw refusedParameter(`parameter_invalid_${kind}`, at);
}

const isBoolean = (value: Value) => value === "true" || value === "false";

const isNumber = (value: Value) => typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value);

function literalOf({ literal }: ts.LiteralTypeNode) {
  if (ts.isStringLiteral(literal)) return literal.text;
  return literal.kind === ts.SyntaxKind.NullKeyword ? "" : literal.getText();
}

type Field = Type & { isRequired: boolean };

/**
 * The members of a type, inherited ones included. `open`: the type of all others, where any name is allowed, as in
 * metadata.
 */
function fieldsOf({ declaration, module, scope }: Found) {
  const fields = new Map<string, Field>();
  let open: Type | undefined;
  if (!ts.isInterfaceDeclaration(declaration)) return { fields, open };
  for (const parent of declaration.heritageClauses?.flatMap(({ types }) => [...types]) ?? []) {
    const found = find(module, scope, parent.expression.getText());
    if (!found) throw new Error(`${parent.getText()} is nowhere`);
    for (const [name, field] of fieldsOf(found).fields) fields.set(name, field);
  }
  for (const member of declaration.members) {
    if (ts.isIndexSignatureDeclaration(member)) open = { node: member.type, module, scope };
    if (!ts.isPropertySignature(member) || !member.type) continue;
    const isRequired = member.questionToken === undefined;
    fields.set(member.name.getText(), { node: member.type, module, scope, isRequired });
  }
  return { fields, open };
}

/** Looks a type up from the innermost namespace outwards, then among the file's imports. */
function find(module: Module, scope: string, name: string): Found | undefined {
  const spaces = scope ? scope.split(".") : [];
  for (let depth = spaces.length; depth >= 0; depth--) {
    const full = [...spaces.slice(0, depth), name].join(".");
    const declaration = module.declarations.get(full);
    if (declaration) {
      return { declaration, module, scope: full.split(".").slice(0, -1).join(".") };
    }
  }
  const source = module.imports.get(name.split(".")[0] ?? "");
  return source ? find(readModule(source), "", name) : undefined;
}

function readModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const module: Module = { file, imports: new Map(), declarations: new Map() };
  modules.set(file, module);
  const source = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.ES2022,
    true,
  );
  for (const statement of source.statements) readStatement(module, statement, []);
  return module;
}

function readStatement(module: Module, node: ts.Statement, spaces: string[]) {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
    module.declarations.set([...spaces, node.name.text].join("."), node);
  } else if (ts.isModuleDeclaration(node) && node.body && ts.isModuleBlock(node.body)) {
    const inner = [...spaces, node.name.text];
    for (const statement of node.body.statements) readStatement(module, statement, inner);
  } else if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const named = node.importClause?.namedBindings;
    if (!named || !ts.isNamedImports(named)) return;
    const path = node.moduleSpecifier.text.replace(/\.js$/, ".d.ts");
    const source = resolve(dirname(module.file), path);
    for (const { name } of named.elements) module.imports.set(name.text, source);
  }
}
