export function callersNode(agent: string | undefined, own: string): string;
export function engineNote(version: string, folder: string): string | undefined;
