export function engineNote(version: string, folder: string): string | undefined;
