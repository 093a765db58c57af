export function addSecondTries(count: number): void
export function sumSecondTries(file: string): number
