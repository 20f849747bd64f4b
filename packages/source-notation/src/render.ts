// Pictures of workflows

export type { Overlay } from "./render/drawing.js";
export type { RenderOptions } from "./render/render.js";
export { renderSvg } from "./render/render.js";
