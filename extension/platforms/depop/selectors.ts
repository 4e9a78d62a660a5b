/** Links to products. This selector has worked in all layouts so far (verified in 2026-07). */
export const productLink = 'a[href*="/products/"]'
