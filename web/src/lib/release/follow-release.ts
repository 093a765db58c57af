/** Reloads the page where the server has another release by now (lib/release/reload-for-release.ts), and returns otherwise. */
export const followRelease = (): Promise<void> =>
  import('./reload-for-release.ts').then(
    (release) => release.reloadForRelease(),
    () => undefined,
  )
