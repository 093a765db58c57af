/** Writes the number of unread notifications on the icon of the installed app; 0 removes it. */
export function setAppBadge(count: number): void {
  // a browser without it, or one that shows no app here, has nothing to write on
  if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => {})
}
