/** Does something once an element comes into sight; returns what calls it off. */
export function whenSeen(node: Element, then: () => void): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return
    observer.disconnect()
    then()
  })
  observer.observe(node)
  return () => observer.disconnect()
}
