// Subjects in other languages

export type { StdioOptions, StdioSubject } from "./subject.js";
export { stdioSubject } from "./subject.js";
