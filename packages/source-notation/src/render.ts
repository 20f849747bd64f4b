// Pictures of workflows

export type { MermaidOptions } from "./render/mermaid.js";
export { renderMermaid } from "./render/mermaid.js";
export type { RenderOptions } from "./render/render.js";
export { renderSvg } from "./render/render.js";

// Runs laid over them

export type { Overlay, RunView } from "./render/overlay.js";
export { overlayOf } from "./render/overlay.js";
