/** Links to products: the one selector that has stayed through all layouts (seen live 2026-07). */
export const productLink = 'a[href*="/products/"]'
