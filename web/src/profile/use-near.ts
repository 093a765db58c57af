import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Tells when somebody first comes near an element, for parts far down on a page that has its weight without them.
 *
 * @returns what to attach to the element, and whether anybody has come near
 */
export function useNear(): [RefObject<HTMLDivElement | null>, boolean] {
  const element = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '200px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, near]
}
