/** The id of the running build. Pages compare it with their own. */
export async function loader() {
  const { assets } = await import("virtual:remix/server-build");
  return Response.json({ id: assets.version }, { headers: { "cache-control": "no-store" } });
}
