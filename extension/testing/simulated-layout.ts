import { beforeAll } from 'vitest'

/**
 * Gives the elements of a simulated DOM, which has no layout, what the forms' fillers ask of one: whatever neither is hidden
 * nor stands in a closed dialog is in sight. Ends with the test file.
 */
export function simulateLayout(): void {
  beforeAll(() => {
    const { prototype } = Element
    const own = Object.getOwnPropertyDescriptors(prototype)
    const { execCommand } = document
    Object.assign(prototype, {
      checkVisibility(this: Element) {
        return this.isConnected && !this.closest('[hidden], dialog:not([open])')
      },
      getClientRects: () => [{}],
    })
    document.execCommand = () => false
    return () => {
      for (const name of ['checkVisibility', 'getClientRects'] as const) {
        if (own[name]) Object.defineProperty(prototype, name, own[name])
        else Reflect.deleteProperty(prototype, name)
      }
      document.execCommand = execCommand
    }
  })
}
