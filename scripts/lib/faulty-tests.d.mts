export function recordFaultyTests(secondTries: number, lines: string[]): void
export function readFaultyTests(file: string): { secondTries: number; lines: string[] }
