import { isShown } from './touch.ts'

const switches =
  '[role="switch"], input[type="checkbox"], button[aria-pressed], [data-testid="SmartPricingButton"], [data-test="toggle-input"]'

/** Returns the first switch that is on and named so, by its label or by the text since the switch before it. */
export function switchedOn(name: RegExp, within: Element = document.body): Element | null {
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  let [before, last] = ['', null as Element | null]
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Element)) {
      if (!last?.contains(node)) before += ` ${node.textContent}`
    } else if (node.matches(switches)) {
      const label = node.closest('label')
      const names = [node.getAttribute('aria-label'), label?.textContent, before.slice(-300)]
      last = label ?? node
      if (isOn(node) && isShown(label ?? node.parentElement!) && names.some((one) => name.test(one ?? ''))) return last
      before = ''
    }
  }
  return null
}

function isOn(one: Element): boolean {
  const said = ['aria-checked', 'aria-pressed', 'data-state'].map((name) => one.getAttribute(name))
  if (one instanceof HTMLInputElement && one.checked) return true
  return said.some((value) => /^(true|checked|on)$/.test(value ?? '')) || /^on$/i.test(one.textContent?.trim() ?? '')
}
