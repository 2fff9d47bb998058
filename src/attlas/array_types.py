"""Arrays of numbers, as signatures name them."""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Floats32 = npt.NDArray[np.float32]
