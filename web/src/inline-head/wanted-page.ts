import { closest } from './closest.ts'

/**
 * Does what auth/sign-in-pages.tsx does, until the page is hydrated: marks `<html>` where somebody wants to send a message, and
 * takes along what is wanted when a link to another page of signing in is followed.
 */
export function keepWantedPage() {
  const { search } = location
  if (!search.startsWith('?next=')) return
  if (search.startsWith('?next=%2Fsend')) document.documentElement.classList.add('to-send')
  document.addEventListener('click', (event) => {
    const link = closest(event, 'a') as HTMLAnchorElement | null
    if (link && /\/(login|signup|forgot-password)$/.test(link.href)) link.search = search
  })
}
