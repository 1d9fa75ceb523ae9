/** Whether there is room for one pane only: then an open thread is alone. */
import { useEffect, useState } from "./vendor/preact-hooks.js";

/** As in `layout.css`. */
const narrow = matchMedia("(max-width: 1020px)");

export function useOnePane() {
  const [one, setOne] = useState(narrow.matches);
  useEffect(() => {
    const follow = () => setOne(narrow.matches);
    narrow.addEventListener("change", follow);
    return () => narrow.removeEventListener("change", follow);
  }, []);
  return one;
}
