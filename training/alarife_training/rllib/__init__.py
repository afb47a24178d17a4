"""Scale-out with Ray RLlib: runners that play, on one machine or on several, and a learner that learns from them."""
