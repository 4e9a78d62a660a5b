import { everywhere } from './en/everywhere.ts'
import { inPages } from './en/in-pages.ts'
import { textsOf } from './texts-of.ts'

const messages = { ...everywhere, ...inPages }
export type PageTextName = keyof typeof messages

/** The texts of what runs in platforms' pages: every page there loads them, so that it carries no others. */
export const { text, textIfAny } = textsOf(messages)
