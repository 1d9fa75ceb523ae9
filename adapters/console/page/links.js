/** Which addresses a link may lead to, and how it says where it leads. */

const allowed = new Set(["http:", "https:", "mailto:"]);

/**
 * @param {string} address
 * @returns {URL | null} null for what must not become a link: scripts, data, relative addresses
 */
export function safeUrl(address) {
  const url = URL.parse(address.trim());
  return url !== null && allowed.has(url.protocol) ? url : null;
}

/**
 * @param {URL} url
 * @param {string} label what the link says
 * @returns {string | null} where it really leads, when the label does not say so by itself
 */
export function realTarget(url, label) {
  const target = url.protocol === "mailto:" ? url.pathname : url.host;
  const said = label.trim().toLowerCase();
  const plain = [target, `www.${target}`, target.replace(/^www\./, ""), url.href, url.href.replace(/\/$/, "")];
  const bare = [...plain, ...plain.map((one) => one.replace(/^\w+:(\/\/)?/, ""))].map((one) => one.toLowerCase());
  return bare.includes(said) ? null : target;
}
