import { type RefObject, useEffect, useRef, useState } from 'react'

/**
 * Returns whether an element has ever been near the viewport, to load parts far down on a page only then.
 *
 * @returns the ref of the element, and whether it has been near
 */
export function useNearViewport(): [RefObject<HTMLDivElement | null>, boolean] {
  const element = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsNear(true), {
      rootMargin: '200px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, isNear]
}
