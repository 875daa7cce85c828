import * as mdi from "@mdi/react";

type MdiIcon = typeof mdi.Icon;

/** The package is CommonJS, and Node, Vite and Rollup nest its exports at different depths. */
function findIcon(module: unknown): MdiIcon {
  let level = module;
  while (level && typeof level === "object") {
    // The cast is safe: whatever the depth, `Icon` is the export that the package's types describe.
    if ("Icon" in level && level.Icon) return level.Icon as MdiIcon;
    level = "default" in level ? level.default : undefined;
  }
  throw new Error("@mdi/react exports no Icon");
}

const MdiIcon = findIcon(mdi);

/**
 * A decorative icon: the text beside it says the same. Size and color are null, as they would
 * become inline styles.
 */
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
