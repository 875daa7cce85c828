import type { Kysely } from "kysely";

export async function up(db: Kysely<unknown>) {
  await db.schema
    .createTable("setting")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("author")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("role", "text")
    .addColumn("biography", "text", (c) => c.notNull())
    .addColumn("position", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("category")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("description", "text")
    .addColumn("position", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("tag")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("position", "integer", (c) => c.notNull())
    .execute();
  await createArticles(db);
  await db.schema
    .createTable("page")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("summary", "text", (c) => c.notNull())
    .addColumn("date", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("media")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("mime_type", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("date", "text", (c) => c.notNull())
    .addColumn("author_uid", "text", (c) => c.references("author.uid"))
    .execute();
  await db.schema
    .createTable("redirection")
    .addColumn("path", "text", (c) => c.primaryKey())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("status", "integer", (c) => c.notNull())
    .execute();
}

async function createArticles(db: Kysely<unknown>) {
  await db.schema
    .createTable("article")
    .addColumn("uid", "text", (c) => c.primaryKey())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("summary", "text", (c) => c.notNull())
    .addColumn("date", "text", (c) => c.notNull())
    .addColumn("author_uid", "text", (c) => c.notNull().references("author.uid"))
    .addColumn("category_uid", "text", (c) => c.notNull().references("category.uid"))
    .addColumn("restricted", "integer", (c) => c.notNull())
    .addColumn("opening", "text", (c) => c.notNull())
    .addColumn("remainder", "text", (c) => c.notNull())
    .addColumn("reading_minutes", "integer", (c) => c.notNull())
    .addColumn("menu", "integer", (c) => c.notNull())
    .execute();
  for (const column of ["date", "author_uid", "category_uid", "menu"]) {
    await db.schema
      .createIndex(`article_by_${column}`)
      .on("article")
      .columns([column, "uid"])
      .execute();
  }
  await db.schema
    .createTable("article_tag")
    .addColumn("article_uid", "text", (c) => c.notNull().references("article.uid"))
    .addColumn("tag_uid", "text", (c) => c.notNull().references("tag.uid"))
    .addColumn("position", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("article_tag_key", ["article_uid", "tag_uid"])
    .execute();
  await db.schema
    .createIndex("article_tag_by_tag")
    .on("article_tag")
    .columns(["tag_uid", "article_uid"])
    .execute();
  await db.schema
    .createTable("article_relation")
    .addColumn("article_uid", "text", (c) => c.notNull().references("article.uid"))
    .addColumn("related_uid", "text", (c) => c.notNull().references("article.uid"))
    .addColumn("position", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("article_relation_key", ["article_uid", "related_uid"])
    .execute();
}
