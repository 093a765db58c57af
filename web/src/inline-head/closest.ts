/** Returns the element an event happened in that matches a selector. */
export const closest = ({ target }: Event, selector: string) => (target as Element).closest<HTMLElement>(selector)
