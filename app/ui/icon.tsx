import * as mdi from "@mdi/react";

type MdiIcon = typeof mdi.Icon;

/** The package is CommonJS: Node, vite and rollup each nest its exports at another depth. */
function findIcon(module: unknown): MdiIcon {
  let level = module;
  while (level && typeof level === "object") {
    if ("Icon" in level && level.Icon) return level.Icon as MdiIcon;
    level = "default" in level ? level.default : undefined;
  }
  throw new Error("@mdi/react exports no Icon");
}

const MdiIcon = findIcon(mdi);

/** Decorative: the text beside it says the same. No size or color, which would be inline styles. */
export function Icon({ path, className }: { path: string; className?: string }) {
  return (
    <MdiIcon
      path={path}
      size={null}
      color={null}
      className={className ? `icon ${className}` : "icon"}
      aria-hidden="true"
    />
  );
}
