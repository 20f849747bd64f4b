export function followLines(file: string, say: (line: string) => void): () => void;
