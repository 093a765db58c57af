/** Reloads the page where the server has another release by now (lib/release/missing-code.ts), and returns otherwise. */
export const followRelease = (): Promise<void> =>
  import('./missing-code.ts').then(
    (release) => release.reloadForRelease(),
    () => undefined,
  )
