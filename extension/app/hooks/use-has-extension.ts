import { useEffect, useState } from 'preact/hooks'

/** The extension marks pages of the web app so (background/announce.ts). */
const isMarked = () => 'hapaxExtension' in document.documentElement.dataset

/** Returns whether this page of the web app is open in a browser with the extension. */
export function useHasExtension(): boolean {
  const [has, setHas] = useState(isMarked)
  useEffect(() => {
    const look = () => setHas(isMarked())
    look()
    document.addEventListener('hapax-extension', look)
    return () => document.removeEventListener('hapax-extension', look)
  }, [])
  return has
}
