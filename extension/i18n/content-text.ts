import { textsOf } from './create-text.ts'
import { everywhere } from './en/common.ts'
import { inPages } from './en/content.ts'

const messages = { ...everywhere, ...inPages }
export type PageTextName = keyof typeof messages

/** The texts of what runs in platforms' pages: every page there loads them, so that it carries no others. */
export const { text, textIfAny } = textsOf(messages)
