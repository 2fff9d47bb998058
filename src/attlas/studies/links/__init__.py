"""What studies of links share: from this word, which of the others is linked with it?"""
